const seen = /[^\s\u2800\p{Default_Ignorable_Code_Point}\p{Cc}]/u

/** Whether a text has a visible character. */
export const isVisible = (text: string): boolean => seen.test(text)

const joins = String.raw`(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{Extended_Pictographic}])`
const looks = String.raw`(?<!\p{Emoji})[\ufe0e\ufe0f]`
const others = String.raw`(?![\u200c\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}`
/** The flags of England, Scotland and Wales: a black flag, the name in invisible tag characters, and a cancel tag. */
const flags = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`
const hidden = new RegExp(`(${flags})|${joins}|${looks}|${others}`, 'gu')

/** Removes invisible characters, except those that join letters or emoji or select an emoji's appearance. */
export const withoutHidden = (text: string): string => text.replace(hidden, '$1')
