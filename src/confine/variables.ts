/** The variables of the user's own environment. */
export type Variables = Readonly<Record<string, string | undefined>>;
