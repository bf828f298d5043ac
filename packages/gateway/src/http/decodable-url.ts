/**
 * The target of a request as the router can read it. A percent sign stands for itself where the path has one that begins no
 * character: the router would answer such a path by itself, past every check of ours, and repeat it.
 */
export function decodableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
