const apiKey = process.env['ANTHROPIC_API_KEY'] ?? 'none';

// #region models
import { createAnthropicModel, createOpenaiChatModel } from '@toolgate/model';

// A provider wants a key; its address is known.
const hosted = createAnthropicModel({ model: 'NAME', apiKey });
// Every server that speaks Chat Completions: an address, and a key where it wants one.
const local = createOpenaiChatModel({ model: 'NAME', baseUrl: 'http://localhost:11434/v1' });

// #endregion

export { hosted, local };
