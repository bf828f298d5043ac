import { describe, expect, test } from 'vitest';
import { createHostRules } from './host-rules.ts';

const rules = createHostRules({
  host: '127.0.0.1',
  allowedHosts: ['gate.example'],
  allowedOrigins: ['https://console.example'],
});

describe('host rules', () => {
  test.each([
    ['localhost:8787', undefined],
    ['LOCALHOST', undefined],
    ['127.0.0.1:1', undefined],
    ['[::1]:8787', undefined],
    ['gate.example', undefined],
    ['gate.example.:80', undefined],
    ['localhost:8787', 'http://localhost:8787'],
    ['localhost', 'https://console.example'],
  ])('let Host %s with Origin %s in', (host, origin) => {
    expect(rules.check({ host, ...(origin === undefined ? {} : { origin }) })).toBeUndefined();
  });

  test.each([
    [undefined, undefined, 'host_forbidden'],
    ['', undefined, 'host_forbidden'],
    ['attacker.example', undefined, 'host_forbidden'],
    ['localhost.attacker.example', undefined, 'host_forbidden'],
    ['attacker.example#localhost', undefined, 'host_forbidden'],
    ['localhost@attacker.example', undefined, 'host_forbidden'],
    ['localhost:80:80', undefined, 'host_forbidden'],
    ['localhost', 'http://attacker.example', 'origin_forbidden'],
    ['localhost', 'null', 'origin_forbidden'],
    ['localhost:8787', 'http://localhost:9999', 'origin_forbidden'],
    ['attacker.example:8787', 'http://attacker.example:8787', 'host_forbidden'],
  ])('keep Host %s with Origin %s out', (host, origin, code) => {
    const headers = { ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) };
    expect(rules.check(headers)).toMatchObject({ code, status: 403 });
  });

  test('hold for every address on loopback only', () => {
    const everywhere = ['127.0.0.1', '127.8.9.1', 'localhost', '::1', '0.0.0.0', '10.0.0.1'].map(
      (host) => createHostRules({ host, allowedHosts: [], allowedOrigins: [] }).everywhere,
    );
    expect(everywhere).toEqual([true, true, true, true, false, false]);
  });
});
