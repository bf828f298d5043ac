// The peer as its package starts it, without the pages that show its log, on a free port of the loopback address.
import { Server } from 'node:net';
import { report } from './report.mjs';

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(...args) {
  const callback = args.find((argument) => typeof argument === 'function');
  this.once('listening', () => report(this.address().port));
  return listen.call(this, { port: 0, host: '127.0.0.1', backlog: 4_096 }, callback);
};
await import('@portkey-ai/gateway/build/start-server.js');
