import { expect, test } from 'vitest'
import { fileIdOf, filePathOf, idPattern } from '../src/fileRef.ts'
import { filePath } from '../src/messages/messages.ts'

const id = '01900000-0000-7000-8000-0000000000af'

test.each([filePathOf(id), `objects/${id}`, `//objects/${id}`, `/${id}`, id])('the file id is read from %s', (text) => {
  expect(fileIdOf(text)).toBe(id)
})

test.each(['', '/objects/', `/files/${id}`, `${id}/`, `/objects/${id.toUpperCase()}`, `/objects/${id.slice(1)}`])(
  '%j names no file',
  (text) => {
    expect(fileIdOf(text)).toBeUndefined()
    expect(filePath.safeParse(text).success).toBe(false)
  },
)

test('only the form with /objects/ is a file path on the wire', () => {
  expect(filePath.parse(filePathOf(id))).toBe(`/objects/${id}`)
  expect(filePath.safeParse(id).success).toBe(false)
})

test('an id has one spelling', () => {
  expect(idPattern.test(id)).toBe(true)
  for (const other of [id.toUpperCase(), `${id} `, id.replaceAll('-', ''), '-'.repeat(36)])
    expect(idPattern.test(other)).toBe(false)
})
