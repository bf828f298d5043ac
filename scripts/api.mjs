// Compares the public surface of every package with its committed report in `api/`; `--local` rewrites the reports.
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { root } from './ensure.mjs';
import { publishedPackages } from './packages.mjs';

const local = process.argv.includes('--local');
let good = true;

const entryPoints = publishedPackages().flatMap(({ entries, folder, ...found }) =>
  entries.map((entry) => ({
    ...found,
    types: entry.types,
    report: entry.name === '' ? folder : `${folder}-${entry.name}`,
  })),
);

for (const { path, name, types, report } of entryPoints) {
  const config = ExtractorConfig.prepare({
    configObjectFullPath: join(path, 'api-extractor.json'),
    packageJsonFullPath: join(path, 'package.json'),
    configObject: {
      projectFolder: path,
      mainEntryPointFilePath: join(path, types),
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: join(path, 'tsconfig.json') },
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
  const result = Extractor.invoke(config, {
    localBuild: local,
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
