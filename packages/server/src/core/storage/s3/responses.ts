/** Parses the XML of S3 as far as needed: elements without attributes, texts with the five entities. */

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_all, name: string) => entities[name] ?? '')

/** Returns the content of each `<name>` in order. Of nested ones, only the text up to the first end. */
export function elements(xml: string, name: string): string[] {
  const found: string[] = []
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let start = xml.indexOf(open); start >= 0; start = xml.indexOf(open, start)) {
    const end = xml.indexOf(close, start)
    if (end < 0) break
    found.push(xml.slice(start + open.length, end))
    start = end
  }
  return found
}

/** Returns the text of the first `<name>`. */
export function textOf(xml: string, name: string): string | undefined {
  const [found] = elements(xml, name)
  return found === undefined ? undefined : decode(found)
}

/** Whether a response has the expected root element and is complete. */
export const isWhole = (xml: string, root: string): boolean =>
  new RegExp(`<${root}[\\s>]`).test(xml) && xml.trimEnd().endsWith(`</${root}>`)

/** Parameters that request the next page of a list, with the elements that state them. */
const markers = {
  'continuation-token': 'NextContinuationToken',
  'key-marker': 'NextKeyMarker',
  'upload-id-marker': 'NextUploadIdMarker',
}

/** Reads a page of a list: the XML of its entries, and the parameters of the next page if there is one. */
export function readPage(xml: string, root: string, entry: string) {
  if (!isWhole(xml, root)) throw new Error('the object store answered something that is no list')
  const next: Record<string, string> = {}
  for (const [parameter, element] of Object.entries(markers)) {
    const marker = textOf(xml, element)
    if (marker !== undefined) next[parameter] = marker
  }
  const isLast = textOf(xml, 'IsTruncated') !== 'true'
  if (!isLast && Object.keys(next).length === 0) throw new Error('the object store did not say where its list goes on')
  return { entries: elements(xml, entry), next: isLast ? undefined : next }
}
