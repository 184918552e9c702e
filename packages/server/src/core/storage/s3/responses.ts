/** Parses the XML of S3 as far as needed: elements without attributes, texts with the five entities. */

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_all, name: string) => entities[name] ?? '')

/** Returns the content of each `<name>` in order; nested ones of one name count as one, up to the inner end. */
export function elements(xml: string, name: string): string[] {
  const found: string[] = []
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const end = xml.indexOf(close, at)
    if (end < 0) break
    found.push(xml.slice(at + open.length, end))
    at = end
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

export interface Page<Entry> {
  entries: Entry[]
  /** Parameters that request the next page; undefined on the last one. */
  next: Record<string, string> | undefined
}

/** Reads a page of ListObjectsV2. Throws on anything else. */
export function readObjects(xml: string): Page<{ key: string; modifiedAt: number }> {
  if (!isWhole(xml, 'ListBucketResult')) throw new Error('the object store answered something that is no list')
  const entries = elements(xml, 'Contents').flatMap((entry) => {
    const key = textOf(entry, 'Key')
    return key === undefined ? [] : [{ key, modifiedAt: Date.parse(textOf(entry, 'LastModified') ?? '') }]
  })
  const token = textOf(xml, 'NextContinuationToken')
  if (textOf(xml, 'IsTruncated') !== 'true') return { entries, next: undefined }
  if (token === undefined) throw new Error('the object store did not say where its list goes on')
  return { entries, next: { 'continuation-token': token } }
}

/** Reads a page of ListMultipartUploads. Throws on anything else. */
export function readUploads(xml: string): Page<{ key: string; uploadId: string }> {
  if (!isWhole(xml, 'ListMultipartUploadsResult'))
    throw new Error('the object store answered something that is no list')
  const entries = elements(xml, 'Upload').flatMap((entry) => {
    const [key, uploadId] = [textOf(entry, 'Key'), textOf(entry, 'UploadId')]
    return key === undefined || uploadId === undefined ? [] : [{ key, uploadId }]
  })
  if (textOf(xml, 'IsTruncated') !== 'true') return { entries, next: undefined }
  const [key, upload] = [textOf(xml, 'NextKeyMarker'), textOf(xml, 'NextUploadIdMarker')]
  if (key === undefined || upload === undefined) throw new Error('the object store did not say where its list goes on')
  return { entries, next: { 'key-marker': key, 'upload-id-marker': upload } }
}
