// Compares the public surface of every package with its committed report in `api/`; `--local` rewrites the reports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { root } from './ensure.mjs';
import { publishedPackages } from './packages.mjs';

const local = process.argv.includes('--local');
let good = true;

const entryPoints = publishedPackages().flatMap(({ entries, folder, path, name }) => {
  const lib = libraries(path);
  return entries.map((entry) => {
    const report = entry.name === '' ? folder : `${folder}-${entry.name}`;
    return { name, report, lib: String(lib), config: prepare(path, entry.types, report, lib) };
  });
});

/** The libraries that a package is compiled against, where these are not those of all. @param {string} path */
function libraries(path) {
  /** @type {{ compilerOptions: { lib?: string[] } }} */
  const { compilerOptions } = JSON.parse(readFileSync(join(path, 'tsconfig.json'), 'utf8'));
  return compilerOptions.lib;
}

/**
 * The settings of API Extractor for one entry point.
 * @param {string} path
 * @param {string} types
 * @param {string} report
 * @param {readonly string[] | undefined} lib
 */
function prepare(path, types, report, lib) {
  return ExtractorConfig.prepare({
    configObjectFullPath: join(path, 'api-extractor.json'),
    packageJsonFullPath: join(path, 'package.json'),
    configObject: {
      projectFolder: path,
      mainEntryPointFilePath: join(path, types),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          extends: join(root, 'tsconfig.base.json'),
          // The build has checked the declarations already; here they are only read.
          compilerOptions: { skipLibCheck: true, ...(lib && { lib }) },
          files: [],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${report}.api.md`,
        reportFolder: join(root, 'api'),
        reportTempFolder: join(root, '.cache/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.None },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
}

/**
 * One compiler state for all entry points with the same libraries: reading the declarations is most of the work, and
 * names that a library declares for everybody would rename exports of packages that do not have it.
 * @type {Map<string, CompilerState>}
 */
const states = new Map();
for (const { config, lib } of entryPoints) {
  if (states.has(lib)) continue;
  const same = entryPoints.filter((other) => other.lib === lib);
  const additionalEntryPoints = same.map((other) => other.config.mainEntryPointFilePath);
  states.set(lib, CompilerState.create(config, { additionalEntryPoints }));
}

for (const { config, lib, name, report } of entryPoints) {
  const compilerState = states.get(lib);
  const result = Extractor.invoke(config, {
    localBuild: local,
    ...(compilerState && { compilerState }),
    showVerboseMessages: false,
    messageCallback: (message) => {
      if (
        message.messageId !== 'console-api-report-not-copied' &&
        message.logLevel === ExtractorLogLevel.None
      )
        message.handled = true;
      if (message.messageId.startsWith('console-compiler-version')) message.handled = true;
    },
  });
  if (result.apiReportChanged && !local) {
    process.stdout.write(
      `${name}: api/${report}.api.md is out of date; read the change and run "npm run api -- --local"\n`,
    );
    good = false;
  }
  if (!result.succeeded) good = false;
}

process.exitCode = good ? 0 : 1;
