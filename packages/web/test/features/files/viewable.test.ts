import { describe, expect, it } from 'vitest'
import { viewKindOf } from '../../../src/features/files/viewer/viewable.ts'

const mega = 1024 * 1024

describe('what the viewer shows', () => {
  it.each([
    ['image/jpeg', 'image'],
    ['image/png', 'image'],
    ['application/pdf', 'pdf'],
    ['text/plain', 'text'],
    ['text/plain;charset=utf-8', 'text'],
  ])('%s as %s', (type, kind) => {
    expect(viewKindOf({ type, size: 1000 })).toBe(kind)
  })

  it.each(['image/svg+xml', 'text/html', 'application/xhtml+xml', 'text/javascript', 'application/octet-stream', ''])(
    '%s not at all',
    (type) => {
      expect(viewKindOf({ type, size: 1000 })).toBeUndefined()
    },
  )

  it.each([
    ['image/png', 40],
    ['application/pdf', 60],
    ['text/plain', 4],
  ])('no %s of more than %d MB', (type, megabytes) => {
    expect(viewKindOf({ type, size: megabytes * mega })).toBeDefined()
    expect(viewKindOf({ type, size: megabytes * mega + 1 })).toBeUndefined()
  })
})
