const O_SERIES = /(?:^|[/:.])o\d(?:-|$)/;
const GPT = /(?:^|[/:.])gpt-(\d)(?:\.(\d{1,2}))?(?!\d)/;

/** Whether a name is one of the o series, which always thinks. */
export function isOSeries(model: string): boolean {
  return O_SERIES.test(model);
}

/**
 * The generation of GPT that a name tells, as hundreds and units: 501 of `gpt-5.1`. `undefined` for every other name, among
 * them `gpt-oss-120b` and `gpt-35-turbo`, as Azure spells an old one.
 */
export function gptGeneration(model: string): number | undefined {
  const [, major, minor = '0'] = GPT.exec(model) ?? [];
  return major === undefined ? undefined : Number(major) * 100 + Number(minor);
}
