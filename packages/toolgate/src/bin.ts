import process from 'node:process';
import { main } from './main.ts';
import { createProcessIo } from './terminal/process-io.ts';

const code = await main(process.argv.slice(2), createProcessIo());
// Every write was awaited; a module of tools may hold a timer or a socket open, and that is no reason to go on.
process.exit(code);
