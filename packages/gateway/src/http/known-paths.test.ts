import { expect, test } from 'vitest';
import { createKnownPaths } from './known-paths.ts';

const paths = createKnownPaths();
paths.add(['GET', 'HEAD'], '/api/keys');
paths.add(['POST'], '/api/keys');
paths.add(['DELETE'], '/api/keys/:id');
paths.add(['POST'], '/v1beta/models/*');

test.each([
  ['/api/keys', ['GET', 'HEAD', 'POST']],
  ['/api/keys/', []],
  ['/api/keys/a', ['DELETE']],
  ['/api/keys/:id', ['DELETE']],
  ['/api/keys/a/b', []],
  ['/v1beta/models/m:generateContent', ['POST']],
  ['/v1beta/models/a/b', ['POST']],
  ['/v1beta/models', []],
  ['/API/KEYS', []],
  ['', []],
  ['/__proto__', []],
])('the address %j takes %j', (path, methods) => {
  expect(paths.methodsOf(path)).toEqual(methods);
});
