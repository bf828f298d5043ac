import type { Instruction, Item, Loss, ModelCall } from '@toolgate/model';

/**
 * A call as servers of Chat Completions understand it: OpenAI alone knows developers, and many templates of models take one
 * system message and only at the head. Nothing of what it says is lost but the borders between instructions.
 */
export function oneSystem(call: ModelCall): { readonly call: ModelCall; readonly losses: readonly Loss[] } {
  const { instructions, items } = call;
  const losses: Loss[] = [];
  const said = instructions ?? [];
  const speaks = items.some((item) => item.kind === 'message' && item.role === 'developer');
  if (said.length < 2 && said[0]?.role !== 'developer' && !speaks) return { call, losses };
  const note = (path: string, detail: string): void => {
    losses.push({ code: 'approximated', path, severity: 'info', detail });
  };
  const spoken = items.map((item, index): Item => {
    if (item.kind !== 'message' || item.role !== 'developer') return item;
    note(`/items/${index}/role`, 'developers speak as the system here');
    return { ...item, role: 'system' };
  });
  if (said.some(({ role }) => role === 'developer'))
    note('/instructions', 'developers speak as the system here');
  if (said.length > 1) note('/instructions', 'instructions are one message here');
  if (said.length > 1 && said.some(({ extensions }) => extensions !== undefined)) {
    losses.push({
      code: 'dropped',
      path: '/instructions',
      severity: 'info',
      detail: 'members of joined instructions',
    });
  }
  const joined = said.length === 0 ? {} : { instructions: [join(said)] };
  return { call: { ...call, ...joined, items: spoken }, losses };
}

function join(instructions: readonly Instruction[]): Instruction {
  const [only] = instructions;
  if (only !== undefined && instructions.length === 1) return { ...only, role: 'system' };
  return { role: 'system', text: instructions.map(({ text }) => text).join('\n\n') };
}
