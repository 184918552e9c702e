/**
 * A feature's texts in another language: the texts of the English object, each of the same kind, and no other. English
 * stands in for one that is not there yet; test/language.test.ts tells which.
 */
export type Translation<T> = T extends string
  ? string
  : T extends (...given: infer Given) => infer Said
    ? (...given: Given) => Translation<Said>
    : { readonly [Name in keyof T]?: Translation<T[Name]> }
