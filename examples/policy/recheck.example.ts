// #region recheck
import { type Authorizer, bind, defineTool, guard, recheck, ToolError } from '@toolgate/core';
import { z } from 'zod';

interface Page {
  readonly text: string;
  readonly redirectsTo?: string;
}

/** Fetches a page as far as the policy goes: each address that a page leads to is asked about like the first one. */
function readPage(mayOpen: Authorizer, load: (url: string) => Promise<Page>) {
  const tool = defineTool({
    name: 'read_page',
    description: 'Reads a page.',
    profile: { class: 'external' },
    input: z.object({ url: z.url().max(2_000) }),
    execute: async ({ url }, call) => {
      let page = await load(url);
      for (let hops = 0; page.redirectsTo !== undefined; hops += 1) {
        const changed = { url: page.redirectsTo };
        if (hops === 5 || !(await recheck(mayOpen, contract, changed, call))) {
          throw new ToolError('The page leads to an address that may not be opened.');
        }
        page = await load(page.redirectsTo);
      }
      return page.text;
    },
  });
  const { contract } = bind(tool);
  return guard({ tool, authorizer: mayOpen });
}

// #endregion

export { type Page, readPage };
