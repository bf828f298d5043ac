import { serveMcp } from '../src/serve/serve-mcp.ts';
import { gateOf } from './serve-fixture.ts';

/** A program that serves the tools of the fixture to one client on its standard streams, and ends with it. */
const { stdio, close } = serveMcp(gateOf());
await stdio({ principal: 'alice', context: { admin: false } }).closed;
await close();
