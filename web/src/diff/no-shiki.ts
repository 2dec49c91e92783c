/** In the place of Shiki and of the catalogues of themes: together they are 20 MB, and the viewer colours with another engine. */
export const bundledLanguages = {};
export const createHighlighterCore = null;
export const createCssVariablesTheme = null;
export const EncodedTokenMetadata = null;
export const INITIAL = null;
