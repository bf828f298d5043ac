// A provider on this machine that does what the user's text says, so that the demonstration needs no key.
import { createProviderServer } from '@toolgate/testing/node';

const ORDER = /^Please call (\w+) with (\{.*\})\.$/u;

/** Every request that it gets is kept, to show what a provider sees. */
export function startProvider() {
  let calls = 0;
  return createProviderServer({
    protocol: 'openai-chat',
    maxRequests: 16,
    script: ({ items, tools }) => {
      calls += 1;
      const last = items.at(-1);
      const said = last?.kind === 'message' && last.parts[0]?.kind === 'text' ? last.parts[0].text : '';
      const [, name, text] = ORDER.exec(said) ?? [];
      if (name !== undefined && text !== undefined)
        return { calls: [{ id: `call_${calls}`, name, arguments: text }] };
      const answer = 'Both reports are filed.';
      const offered = (tools ?? []).some(
        (tool) => tool.kind === 'function' && tool.name === 'attempt_completion',
      );
      return offered
        ? { calls: [{ id: `call_${calls}`, name: 'attempt_completion', arguments: { result: answer } }] }
        : { text: answer };
    },
  });
}
