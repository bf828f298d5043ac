import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { LockedDefinition } from '@toolgate/mcp';
import { compactJson } from '../mcp/compact-json.ts';
import { formatDefinition, indent } from '../mcp/format-definition.ts';
import { revealText } from '../mcp/reveal-text.ts';
import type { Paint, Tone } from '../terminal/paint.ts';
import { formatFields, textOf, timeOf } from './fields.ts';

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['pending', 'warning'],
  ['approved', 'good'],
  ['declined', 'bad'],
  ['expired', 'quiet'],
  ['cancelled', 'quiet'],
]);

/** The style of a status. */
export function toneOf(status: string): Tone {
  return TONES.get(status) ?? 'quiet';
}

/** One approval in one line, as `watch` shows it. */
export function approvalLine(approval: JsonObject, paint: Paint): string {
  // An approval changes a last time when its call is released.
  const status = approval['consumedAt'] === undefined ? textOf(approval, 'status', 20) : 'used';
  return [
    paint(toneOf(status), status.padEnd(9)),
    paint('strong', textOf(approval, 'tool', 64)),
    textOf(approval, 'class', 20),
    `for ${textOf(approval, 'principal', 80) || 'nobody'}`,
    `at ${textOf(approval, 'place', 80)}`,
    paint('quiet', textOf(approval, 'id', 80)),
  ].join('  ');
}

/** Everything that a reviewer has to see before a yes. */
export function formatApproval(approval: JsonObject, paint: Paint): string {
  const status = textOf(approval, 'status', 20);
  const settlement = isJsonObject(approval['settlement']) ? approval['settlement'] : {};
  const { definition, drift } = approval;
  const request = isJsonObject(approval['request']) ? approval['request'] : {};
  const head = formatFields(
    [
      ['approval', textOf(approval, 'id')],
      ['status', status === '' ? '' : paint(toneOf(status), status)],
      ['tool', paint('strong', textOf(approval, 'tool', 64))],
      ['class', textOf(approval, 'class')],
      ['asked by', `${textOf(approval, 'principal') || 'nobody'} with key ${textOf(approval, 'keyId')}`],
      ['through', `${textOf(approval, 'origin')} ${textOf(approval, 'place')}`],
      ['why', textOf(approval, 'why', 600)],
      ['call', textOf(approval, 'callId')],
      ['request', textOf(approval, 'requestId')],
      ['requested', timeOf(approval, 'requestedAt')],
      ['expires', timeOf(approval, 'expiresAt')],
      ['contract', textOf(approval, 'contractDigest')],
      ['arguments', textOf(approval, 'argumentsDigest')],
      // The model did not write these; the defaults of the schema did.
      ['by default', textOf(request, 'filled', 2_000)],
      ['settled', settledOf(settlement)],
      ['reason', textOf(settlement, 'reason', 2_000)],
      // Stays when the arguments themselves are gone.
      ['edited to', textOf(settlement, 'argumentsDigest')],
      ['used up', timeOf(approval, 'consumedAt')],
    ],
    paint,
  );
  return [
    head,
    section('exact arguments', request['arguments'], paint),
    section('arguments of the reviewer', settlement['arguments'], paint),
    isJsonObject(definition)
      ? `${paint('quiet', 'what the model was told')}\n${formatDefinition(definition as unknown as LockedDefinition, paint)}`
      : '',
    section('how the contract differs from the review', drift, paint),
  ].join('');
}

/** Who settled an approval, and when; `''` while nobody has. */
export function settledOf(settlement: JsonObject): string {
  const by = textOf(settlement, 'by');
  return by === '' ? '' : `${timeOf(settlement, 'at')} by ${by}`;
}

function section(title: string, value: JsonObject[string] | undefined, paint: Paint): string {
  if (value === undefined) return '';
  return `${paint('quiet', title)}\n${indent(revealText(compactJson(value)), 2)}`;
}
