/**
 * Splits the output of an XMPP server into the opening of its stream and whole stanzas. `take` is called with each part
 * as text; `restart` begins a new stream on the same connection.
 */
export function createStanzas(take: (stanza: string) => void) {
  let text = ''
  /** Position of the search for the next tag, start of the open stanza, and nesting depth. */
  let [position, begun, depth] = [0, 0, 0]
  let streams = 0

  function tag(from: number, to: number): void {
    const isClosing = text[from + 1] === '/'
    const isEmpty = text[to - 2] === '/'
    if (depth === 1 && !isClosing) begun = from
    if (isClosing) depth -= 1
    else if (!isEmpty) depth += 1
    if (depth === 1) {
      const isStream = !isClosing && !isEmpty
      take(text.slice(isStream ? from : begun, to))
    }
  }

  return {
    read(part: string): void {
      text += part
      for (;;) {
        const from = text.indexOf('<', position)
        const to = from < 0 ? 0 : text.indexOf('>', from) + 1
        if (to === 0) break
        position = to
        if (text[from + 1] === '?') continue
        const stream = streams
        tag(from, to)
        if (stream !== streams) return
      }
      const done = depth > 1 ? begun : position
      text = text.slice(done)
      position -= done
      begun -= done
    },
    restart(): void {
      text = ''
      position = begun = depth = 0
      streams += 1
    },
  }
}

/** The value of an attribute of a stanza's first tag. */
export function attributeOf(stanza: string, name: string): string | undefined {
  const head = stanza.slice(0, stanza.indexOf('>') + 1)
  const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(head) ?? []
  return double ?? single
}

/** The text between a tag and its end tag. */
export function insideOf(stanza: string, name: string): string | undefined {
  const from = stanza.indexOf('>', stanza.indexOf(`<${name}`)) + 1
  const to = stanza.indexOf(`</${name}>`, from)
  return stanza.includes(`<${name}`) && to >= 0 ? stanza.slice(from, to) : undefined
}
