/** The two kinds of database. */
export type StorageKind = 'sqlite' | 'postgres';
