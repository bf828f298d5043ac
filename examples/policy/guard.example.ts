// #region guard
import { type Authorizer, type CallContext, defineTool, guard } from '@toolgate/core';
import { z } from 'zod';

interface Caller {
  readonly user: string;
  readonly plan: 'free' | 'team';
  readonly mayRead: (user: string, document: string) => Promise<boolean>;
}

const readDocument = defineTool({
  name: 'read_document',
  description: 'Reads a document.',
  profile: { class: 'read' },
  input: z.object({ id: z.string().max(64) }),
  // What this caller is shown at all. It says nothing about one document.
  available: ({ plan }: Caller) => plan === 'team',
  execute: ({ id }, { context }: CallContext<Caller>) => `${id}, as ${context.user} sees it`,
});

// Asked about every call, with the admitted arguments and the context that your code gave.
const mayRead: Authorizer<Caller> = ({ arguments: { id }, context }) =>
  typeof id === 'string' && context.mayRead(context.user, id);

const guarded = guard({ tool: readDocument, authorizer: mayRead });

// #endregion

export { type Caller, guarded };
