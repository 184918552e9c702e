/** A feature's texts in another language: every text of the English object, of the same kind. */
export type Translation<T> = T extends string
  ? string
  : T extends (...given: infer Given) => infer Said
    ? (...given: Given) => Translation<Said>
    : { readonly [Name in keyof T]: Translation<T[Name]> }
