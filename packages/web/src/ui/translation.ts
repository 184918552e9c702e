/** Texts of a feature in another language: the same keys and kinds as the English object. */
export type Translation<T> = T extends string
  ? string
  : T extends (...given: infer Given) => infer Said
    ? (...given: Given) => Translation<Said>
    : { readonly [Name in keyof T]: Translation<T[Name]> }
