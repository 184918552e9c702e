import { describe, expect, it } from 'vitest'
import { formatPart, formatSize, splitName, tileLabel } from '../../../src/features/files/fileLabels.ts'
import { fileState, amountOf, isOver, percentOf } from '../../../src/features/files/fileState.ts'

describe('a file row', () => {
  it.each([
    ['can_download', undefined, 'Ready to download', 'Download', false],
    ['authorized', 2, 'Download authorized', 'Download', false],
    ['authorized', 0, 'No downloads left', 'Request Access', false],
    ['none', 0, 'No downloads left', 'Request Access', false],
    ['pending', undefined, 'Authorization pending', 'Request sent', true],
    ['denied', undefined, 'Access denied', 'Access denied', true],
    ['checking', undefined, 'Checking permissions...', 'Request Access', false],
    ['none', undefined, 'Access not requested', 'Request Access', false],
  ] as const)('%s with %s downloads left says %s, %s', (status, downloadsLeft, line, button, disabled) => {
    expect(fileState({ status, downloadsLeft })).toMatchObject({ line, button, disabled })
  })

  it('without downloads left names no number of them', () => {
    expect(fileState({ status: 'none', downloadsLeft: 0 })).not.toHaveProperty('downloadsLeft')
  })

  it('is checking before the first answer', () => {
    expect(fileState(undefined)).toMatchObject({ line: 'Checking permissions...', action: 'request' })
  })

  it('downloads when authorized or the owner, and asks in every other state', () => {
    expect(fileState({ status: 'authorized', downloadsLeft: 1 })).toMatchObject({
      action: 'download',
      downloadsLeft: 1,
    })
    expect(fileState({ status: 'can_download' }).action).toBe('download')
    expect(fileState({ status: 'none' }).action).toBe('request')
  })
})

describe('sizes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [640 * 1024, '640 KB'],
    [2.4 * 1024 * 1024, '2.4 MB'],
    [100 * 1024 * 1024, '100 MB'],
  ])('%i bytes is %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text)
  })

  it('a part is told in the unit of the whole', () => {
    const mega = 1024 * 1024
    expect(formatPart(29.9 * mega, 48.2 * mega)).toEqual(['29.9', '48.2 MB'])
    expect(amountOf({ done: 60 * mega, size: 48.2 * mega, phase: 'uploading' })).toBe('48.2 of 48.2 MB')
    expect(amountOf({ done: 0, size: 48.2 * mega, phase: 'encrypting' })).toBe('0.0 of 48.2 MB')
    expect(amountOf({ done: 0, size: 48.2 * mega, phase: 'saving' })).toBe('48.2 of 48.2 MB')
  })
})

describe('progress', () => {
  it.each([
    [{ done: 0, size: 0, phase: 'encrypting' }, 0],
    [{ done: 62, size: 100, phase: 'uploading' }, 62],
    [{ done: 999, size: 1000, phase: 'uploading' }, 99],
    [{ done: 0, size: 100, phase: 'sending' }, 100],
    [{ done: 0, size: 0, phase: 'done' }, 100],
  ] as const)('%o is %i percent', (transfer, percent) => {
    expect(percentOf(transfer)).toBe(percent)
  })

  it('is over when done, failed or cancelled', () => {
    expect(
      (['done', 'failed', 'cancelled', 'uploading', 'saving'] as const).filter((phase) => isOver({ phase })),
    ).toEqual(['done', 'failed', 'cancelled'])
  })
})

describe('names', () => {
  it.each([
    ['lab-report.pdf', 'PDF'],
    ['a.docx', 'DOCX'],
    ['notes', 'FILE'],
    ['archive.backup', 'FILE'],
    ['.env', 'ENV'],
  ])('the tile of %s says %s', (name, label) => {
    expect(tileLabel(name)).toBe(label)
  })

  it('a long one gives way before its end, and no character is cut in two', () => {
    expect(splitName('custodian-statement-signed.pdf')).toEqual(['custodian-statement-', 'signed.pdf'])
    expect(splitName('short.pdf')).toEqual(['short.pdf', ''])
    expect(splitName('👩'.repeat(30)).join('')).toBe('👩'.repeat(30))
  })
})
