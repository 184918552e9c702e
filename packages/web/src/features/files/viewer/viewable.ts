export type ViewKind = 'image' | 'pdf' | 'text'

/** Not SVG and HTML, which are documents with links and scripts of their own. */
const kinds: Readonly<Record<string, ViewKind>> = {
  'application/pdf': 'pdf',
  'image/avif': 'image',
  'image/gif': 'image',
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'image',
  'text/csv': 'text',
  'text/markdown': 'text',
  'text/plain': 'text',
}

const mega = 1024 * 1024

/** Larger files can only be downloaded: the viewer holds them in memory. */
const maxBytes: Readonly<Record<ViewKind, number>> = { image: 40 * mega, pdf: 60 * mega, text: 4 * mega }

/** How the viewer shows a file, by the type that its sender has signed; undefined if it does not. */
export function viewKindOf({ type, size }: { type: string; size: number }): ViewKind | undefined {
  const kind = kinds[type.split(';', 1)[0] ?? '']
  return kind !== undefined && size > 0 && size <= maxBytes[kind] ? kind : undefined
}
