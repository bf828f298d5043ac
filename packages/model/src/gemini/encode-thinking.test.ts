import type { JsonObject } from '@toolgate/core';
import { expect, test } from 'vitest';
import type { ModelCall } from '../call/model-call.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { encodeThinking } from './encode-thinking.ts';

function thinkingOf(model: string, reasoning: ModelCall['reasoning']) {
  const losses = createLossLog();
  const { thinkingConfig } = encodeThinking({ model, items: [], reasoning: reasoning ?? null }, losses);
  return [thinkingConfig, losses.losses.map(({ path, severity }) => `${path} ${severity}`)];
}

test.each<[string, ModelCall['reasoning'], JsonObject | undefined, readonly string[]]>([
  ['gemini-2.5-flash', { effort: 'low' }, { thinkingBudget: 1_024 }, ['/reasoning/effort info']],
  ['gemini-2.5-pro', { effort: 'medium' }, { thinkingBudget: 8_192 }, ['/reasoning/effort info']],
  ['gemini-2.5-flash-lite', { effort: 'max' }, { thinkingBudget: 24_576 }, ['/reasoning/effort info']],
  ['gemini-2.5-flash', { effort: 'none' }, { thinkingBudget: 0 }, ['/reasoning info']],
  ['gemini-2.5-pro', { effort: 'none' }, { thinkingBudget: 128 }, ['/reasoning/effort warning']],
  ['gemini-2.5-flash', { effort: 'high', budgetTokens: 9 }, { thinkingBudget: 9 }, []],
  ['gemini-2.5-flash', { effort: 'odd' }, undefined, ['/reasoning/effort warning']],
  ['gemini-3-flash', { effort: 'medium' }, { thinkingLevel: 'MEDIUM' }, []],
  ['gemini-3-pro', { effort: 'none' }, { thinkingLevel: 'LOW' }, ['/reasoning/effort warning']],
  ['gemini-3-flash-preview', { effort: 'none' }, { thinkingLevel: 'MINIMAL' }, ['/reasoning/effort warning']],
  ['gemini-3-flash-preview', { effort: 'minimal' }, { thinkingLevel: 'MINIMAL' }, []],
  ['gemini-3.1-flash-lite', { effort: 'minimal' }, { thinkingLevel: 'MINIMAL' }, []],
  ['gemini-3.1-pro-preview', { effort: 'minimal' }, { thinkingLevel: 'LOW' }, ['/reasoning/effort info']],
  ['gemini-3.8-flash', { effort: 'minimal' }, { thinkingLevel: 'LOW' }, ['/reasoning/effort info']],
  ['gemini-flash-latest', { effort: 'minimal' }, { thinkingLevel: 'LOW' }, ['/reasoning/effort info']],
  ['m', { effort: 'minimal' }, { thinkingLevel: 'MINIMAL' }, []],
  [
    'gemini-3.5-flash',
    { effort: 'high', budgetTokens: 9 },
    { thinkingLevel: 'HIGH' },
    ['/reasoning/budgetTokens info'],
  ],
  ['gemini-3-pro', { budgetTokens: 2_000 }, { thinkingBudget: 2_000 }, []],
  ['gemini-flash-latest', { effort: 'low' }, { thinkingLevel: 'LOW' }, []],
  ['gemini-2.0-flash', { effort: 'high', summary: 'auto' }, undefined, ['/reasoning warning']],
  ['gemini-2.0-flash', { effort: 'none' }, undefined, []],
  ['m', { effort: 'none' }, { thinkingBudget: 0 }, ['/reasoning info']],
  ['m', { effort: 'high' }, { thinkingLevel: 'HIGH' }, []],
  ['m', { effort: 'high', budgetTokens: 9 }, { thinkingBudget: 9 }, []],
  ['m', { effort: 'none', budgetTokens: 9 }, { thinkingBudget: 9 }, []],
])('%s with %j is asked for %j', (model, reasoning, expected, lost) => {
  expect(thinkingOf(model, reasoning)).toEqual([expected, lost]);
});
