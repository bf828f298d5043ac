/** Something that is read-only once it is complete, while it is put together. */
export type Draft<Whole> = { -readonly [Member in keyof Whole]: Whole[Member] };
