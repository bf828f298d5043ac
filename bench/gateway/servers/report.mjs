// Tells the benchmark about the process it runs in: the port, and on request processor time and memory.

/**
 * Says where the server listens and answers from then on; ends the process when the benchmark is gone.
 *
 * @param {number} port
 * @param {() => object} [more] - Further facts.
 */
export function report(port, more = () => ({})) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpu: user + system, rss: process.memoryUsage.rss(), maxRss: process.resourceUsage().maxRSS * 1024, ...more() });
  });
  process.on('disconnect', () => process.exit());
  process.send({ port });
}
