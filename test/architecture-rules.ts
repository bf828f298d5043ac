import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { parseSync } from 'vite';

/** What one package may import of the others, and whether it has to run outside Node. */
export interface PackageRule {
  readonly imports: readonly string[];
  readonly neutral: boolean;
}

const rule = (neutral: boolean, ...imports: readonly string[]): PackageRule => ({ neutral, imports });

/** The package table of the architecture, by folder under `packages/`. Arrows point downward only. */
export const PACKAGES: ReadonlyMap<string, PackageRule> = new Map([
  ['core', rule(true)],
  ['model', rule(true, 'core')],
  ['control', rule(true, 'core', 'model')],
  ['agent', rule(true, 'core', 'model', 'control')],
  ['mcp', rule(false, 'core')],
  ['testing', rule(false, 'core', 'model')],
  ['gateway', rule(false, 'core', 'model', 'control', 'agent', 'mcp')],
  ['toolgate', rule(false, 'core', 'model', 'control', 'agent', 'mcp', 'testing', 'gateway')],
]);

/** Folders of the core in import order: a folder may import itself, those before it, and `internal`. */
export const CORE_FOLDERS: readonly string[] = ['json', 'schema', 'tool', 'policy', 'gate'];

/** Files that may import a computed path: they run a module that the person at the command line named. */
const COMPUTED_IMPORTS: ReadonlySet<string> = new Set(['toolgate/definitions/import-module.ts']);

/** The npm name of the package in `packages/<folder>`. */
export const packageName = (folder: string): string =>
  folder === 'toolgate' ? folder : `@toolgate/${folder}`;

/** The parts of a `package.json` that the rules read. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** All packages by folder, and what the root offers to every test. */
export interface Workspace {
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly testTools: ReadonlySet<string>;
}

/** One source file: its folder under `packages/`, its path below `src/`, and its text. */
export interface SourceFile {
  readonly folder: string;
  readonly path: string;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* walk(root: Node): Generator<Node> {
  const pending: Node[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    for (const member of Object.values(node)) {
      for (const child of Array.isArray(member) ? member : [member]) if (isNode(child)) pending.push(child);
    }
  }
}

const text = (value: unknown): string | undefined => {
  const literal = isNode(value) && value.type === 'TSLiteralType' ? value['literal'] : value;
  return isNode(literal) && typeof literal['value'] === 'string' ? literal['value'] : undefined;
};

/** What a module says about itself, as far as the rules care. */
export interface ModuleFacts {
  readonly specifiers: readonly string[];
  readonly defaultExport: boolean;
  /** It declares nothing of its own and only passes on what others export. */
  readonly barrel: boolean;
  /** Globals of Node and evaluation of text, by name. */
  readonly ambient: readonly string[];
}

const FORBIDDEN_CALLS = new Set(['eval', 'Function', 'require']);
const FORBIDDEN_OBJECTS = new Set(['Buffer', 'process']);

/** Parses a module with the parser of vite. */
export function moduleFacts(file: SourceFile): ModuleFacts {
  const { program, module, errors } = parseSync(file.path, file.text);
  if (errors.length > 0) throw new SyntaxError(`${file.folder}/src/${file.path}: ${errors[0]?.message}`);
  const specifiers: string[] = [];
  const ambient: string[] = [];
  for (const node of walk(program as unknown as Node)) {
    const source =
      text(node['source']) ?? (node.type === 'TSImportType' ? text(node['argument']) : undefined);
    if (source !== undefined) specifiers.push(source);
    else if (node.type === 'ImportExpression') specifiers.push('(computed)');
    const callee = node['callee'];
    const name = isNode(callee) ? String(callee['name']) : '';
    if (FORBIDDEN_CALLS.has(name)) ambient.push(name);
    const object = isNode(node['object']) ? String(node['object']['name']) : '';
    if (FORBIDDEN_OBJECTS.has(object) || (node.type === 'NewExpression' && FORBIDDEN_OBJECTS.has(name))) {
      ambient.push(object || name);
    }
  }
  const body = program.body as readonly unknown[] as readonly Node[];
  const passesOn = (node: Node): boolean =>
    node.type === 'ImportDeclaration' ||
    node.type === 'ExportAllDeclaration' ||
    (node.type === 'ExportNamedDeclaration' && !isNode(node['declaration']));
  return {
    specifiers,
    ambient,
    defaultExport: module.staticExports.some((statement) =>
      statement.entries.some(
        ({ exportName }) => exportName.kind === 'Default' || exportName.name === 'default',
      ),
    ),
    barrel: body.length > 0 && body.every(passesOn) && body.some((node) => node.type.startsWith('Export')),
  };
}

/** Whether a path is one of a test, which nobody imports. */
export const isTest = (path: string): boolean => /\.(?:test|test-d|bench)\.tsx?$/.test(path);
const isGenerated = (file: SourceFile): boolean =>
  file.path.endsWith('.generated.ts') || file.text.startsWith('// Generated ');
const bareName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Files named by the `exports` of a manifest, below `src/`. */
export function entryPaths(manifest: Manifest): ReadonlySet<string> {
  const targets = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  return new Set(
    targets.flatMap((target) => (target.startsWith('./src/') ? [target.slice('./src/'.length)] : [])),
  );
}

function coreOrderFault(from: string, to: string): string | undefined {
  const [fromFolder = '', toFolder = ''] = [from.split('/')[0], to.split('/')[0]];
  if (!to.includes('/')) return `imports ${to}: only other packages use the entry`;
  if (toFolder === 'internal') return undefined;
  if (fromFolder === 'internal') return `internal/ imports ${to}`;
  const [fromRank, toRank] = [CORE_FOLDERS.indexOf(fromFolder), CORE_FOLDERS.indexOf(toFolder)];
  if (fromRank < 0 || toRank < 0) return `${fromRank < 0 ? from : to} lies in no folder of the core`;
  return toRank > fromRank ? `${fromFolder}/ imports ${to} against the folder order` : undefined;
}

/** Every rule that one import breaks, in words. */
function importFaults(file: SourceFile, specifier: string, workspace: Workspace): string[] {
  const { manifests, testTools } = workspace;
  const own = PACKAGES.get(file.folder);
  const manifest = manifests.get(file.folder) ?? {};
  const test = isTest(file.path);
  if (specifier === '(computed)') {
    return test || COMPUTED_IMPORTS.has(`${file.folder}/${file.path}`) ? [] : ['imports a computed path'];
  }
  if (specifier.startsWith('.')) {
    const target = posix.join('src', posix.dirname(file.path), specifier);
    if (!target.startsWith('src/')) return test ? [] : [`imports ${specifier} outside its src/`];
    const fault =
      file.folder === 'core' && !test && file.path.includes('/')
        ? coreOrderFault(file.path, target.slice('src/'.length))
        : undefined;
    return fault === undefined ? [] : [fault];
  }
  if (isBuiltin(specifier)) {
    if (own?.neutral === true && !test) return [`imports ${specifier} in a runtime-neutral package`];
    return specifier.startsWith('node:') ? [] : [`imports ${specifier} without the node: prefix`];
  }
  const name = bareName(specifier);
  const faults: string[] = [];
  const shipped = {
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.optionalDependencies,
  };
  const declared = test ? { ...shipped, ...manifest.devDependencies } : shipped;
  const known =
    Object.hasOwn(declared, name) || name === packageName(file.folder) || (test && testTools.has(name));
  if (!known) {
    faults.push(`imports ${name}, which its package.json does not declare`);
  }
  const target = [...PACKAGES.keys()].find((folder) => packageName(folder) === name);
  if (name.startsWith('@toolgate/') && target === undefined)
    faults.push(`imports ${name}, which is not in the table`);
  if (target === undefined) return faults;
  const allowed =
    own?.imports.includes(target) === true || (test && (target === 'testing' || target === file.folder));
  if (!allowed) faults.push(`imports ${name} against the package table`);
  const subpath = `.${specifier.slice(name.length)}`;
  if (!Object.hasOwn(manifests.get(target)?.exports ?? { '.': '' }, subpath))
    faults.push(`imports ${specifier} past its entry`);
  return faults;
}

/** Every rule of the architecture that one file breaks, each as `packages/<folder>/src/<path>: …`. */
export function fileFaults(file: SourceFile, workspace: Workspace): readonly string[] {
  const facts = moduleFacts(file);
  const faults = facts.specifiers.flatMap((specifier) => importFaults(file, specifier, workspace));
  if (!isTest(file.path)) {
    const entry = entryPaths(workspace.manifests.get(file.folder) ?? {}).has(file.path);
    if (!entry && (facts.barrel || /(?:^|\/)index\.tsx?$/.test(file.path)))
      faults.push('is a barrel inside a package');
    if (facts.defaultExport) faults.push('has a default export');
    const lines = file.text.replace(/\n$/, '').split('\n').length;
    if (lines > 300 && !isGenerated(file)) faults.push(`has ${lines} lines; 300 is the limit`);
    if (PACKAGES.get(file.folder)?.neutral === true)
      faults.push(...facts.ambient.map((name) => `uses ${name}`));
  }
  return faults.map((fault) => `packages/${file.folder}/src/${file.path}: ${fault}`);
}

/** Every rule of the architecture that one `package.json` breaks. */
export function manifestFaults(folder: string, manifest: Manifest, version: string): readonly string[] {
  const own = PACKAGES.get(folder);
  if (own === undefined) return [`packages/${folder}: is not in the package table`];
  const faults: string[] = [];
  if (manifest.name !== packageName(folder))
    faults.push(`is named ${manifest.name}, not ${packageName(folder)}`);
  if (manifest.version !== version) faults.push(`has version ${manifest.version}, not the common ${version}`);
  const allowed = new Set(own.imports.map(packageName));
  for (const name of Object.keys({
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.optionalDependencies,
  })) {
    const ours = name === 'toolgate' || name.startsWith('@toolgate/');
    if (ours && !allowed.has(name)) faults.push(`depends on ${name} against the package table`);
  }
  return faults.map((fault) => `packages/${folder}/package.json: ${fault}`);
}
