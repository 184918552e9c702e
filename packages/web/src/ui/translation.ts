/**
 * A feature's texts in another language: the texts of the English object, each of the same kind, and no other.
 */
export type Translation<T> = T extends string
  ? string
  : T extends (...given: infer Given) => infer Said
    ? (...given: Given) => Translation<Said>
    : { readonly [Name in keyof T]: Translation<T[Name]> }
