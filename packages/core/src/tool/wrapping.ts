import type { Tool } from './tool.ts';

/** Tools of one chain, outermost first. @throws `tool/wrapping-invalid` */
export declare function unwrapChain<Context>(tool: Tool<Context>): readonly Tool<Context>[];

/** The outermost tool of the chain that the guard accepts. @throws `tool/wrapping-invalid` */
export declare function capability<Context, Found extends Tool<Context>>(
  tool: Tool<Context>,
  is: (candidate: Tool<Context>) => candidate is Found,
): Found | undefined;
