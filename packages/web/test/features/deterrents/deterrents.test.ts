import { describe, expect, test, vi } from 'vitest'
import { reportable, reportedEvent } from '@privity/contract/securityEvents'
import { type Deterred, rules, toneOf } from '../../../src/features/deterrents/triggers.ts'
import type { Pressed } from '../../../src/browser/shortcut.ts'
import { shortcutOf } from '../../../src/features/deterrents/shortcuts.ts'
import { deterrentTexts } from '../../../src/features/deterrents/texts.ts'
import { watchConsole } from '../../../src/features/deterrents/pageWatch.ts'
import { createLimiter } from '../../../src/features/deterrents/report.ts'

/** Converts 'Ctrl+Shift+KeyI' into a key press on a Latin keyboard. */
function press(keys: string): Pressed {
  const parts = keys.split('+')
  const code = parts.at(-1) ?? ''
  const held = (name: string) => parts.includes(name)
  const key = code.startsWith('Key') ? code.slice(3).toLowerCase() : code.replace('Digit', '')
  return { key, code, ctrlKey: held('Ctrl'), metaKey: held('Meta'), altKey: held('Alt'), shiftKey: held('Shift') }
}

const kindOf = (keys: string, mac = false) => shortcutOf(press(keys), mac)?.kind

describe('shortcuts', () => {
  test.each([
    ['F12', 'devTools'],
    ['Ctrl+Shift+KeyI', 'devTools'],
    ['Ctrl+Shift+KeyJ', 'devTools'],
    ['Ctrl+Shift+KeyC', 'devTools'],
    ['Ctrl+KeyP', 'print'],
    ['Meta+KeyP', 'print'],
    ['Ctrl+KeyC', 'copy'],
    ['Ctrl+Insert', 'copy'],
    ['Ctrl+Shift+KeyS', 'screenshot'],
    ['Meta+Shift+KeyS', 'screenshot'],
  ])('%s is %s', (keys, kind) => {
    expect(kindOf(keys)).toBe(kind)
  })

  test.each([
    ['F12', 'devTools'],
    ['Meta+Alt+KeyI', 'devTools'],
    ['Meta+KeyP', 'print'],
    ['Meta+KeyC', 'copy'],
    ['Meta+Shift+Digit3', 'screenshot'],
    ['Meta+Shift+Digit4', 'screenshot'],
    ['Ctrl+Meta+Shift+Digit4', 'screenshot'],
    ['Meta+Shift+Digit5', 'screenshot'],
    ['Meta+Shift+KeyS', 'screenshot'],
  ])('on a Mac %s is %s', (keys, kind) => {
    expect(kindOf(keys, true)).toBe(kind)
  })

  test.each([
    'Tab',
    'Enter',
    'Escape',
    'ContextMenu',
    'Shift+F10',
    'Ctrl+KeyV',
    'Ctrl+KeyX',
    'Ctrl+KeyA',
    'Ctrl+KeyZ',
    'Ctrl+KeyF',
    'Ctrl+Alt+KeyP',
    'Ctrl+Alt+KeyC',
    'Shift+Insert',
    'Shift+KeyS',
    'KeyP',
    'KeyC',
    'Shift+F12',
    'Ctrl+F12',
    'F5',
    'Ctrl+Digit4',
  ])('%s is left alone', (keys) => {
    expect(kindOf(keys)).toBeUndefined()
    expect(kindOf(keys, true)).toBeUndefined()
  })

  test.each(['Ctrl+KeyP', 'Ctrl+KeyC', 'Ctrl+Alt+KeyI', 'Meta+KeyV', 'Meta+KeyX', 'Meta+KeyA', 'Meta+Alt+KeyC+Shift'])(
    'on a Mac %s is left alone: it moves the cursor, or is another key',
    (keys) => {
      expect(kindOf(keys, true)).toBeUndefined()
    },
  )

  test('letters are told by what is on the key, and by its place in another alphabet', () => {
    const ctrl = { ...press('Ctrl+KeyC') }
    expect(shortcutOf({ ...ctrl, key: 'с', code: 'KeyC' }, false)?.kind).toBe('copy')
    expect(shortcutOf({ ...ctrl, key: 'c', code: 'KeyJ' }, false)?.kind).toBe('copy')
    expect(shortcutOf({ ...ctrl, key: 'j', code: 'KeyC' }, false)).toBeUndefined()
    expect(shortcutOf({ ...press('Meta+Alt+KeyI'), key: 'ˆ' }, true)?.name).toBe('Cmd+Option+I')
  })

  test('copying is noted and never suppressed', () => {
    for (const keys of ['Ctrl+KeyC', 'Ctrl+Insert']) expect(shortcutOf(press(keys), false)?.suppress).toBe(false)
    for (const keys of ['Ctrl+KeyP', 'F12']) expect(shortcutOf(press(keys), false)?.suppress).toBe(true)
  })
})

describe('what is reported', () => {
  test('is what the specification names, with its severities', () => {
    const found = Object.values(rules).map(({ eventType, severity }) => `${eventType} ${severity}`)
    const named = Object.entries(reportable).flatMap(([type, severities]) =>
      severities.map((severity) => `${type} ${severity}`),
    )
    expect(found.sort()).toEqual(named.sort())
  })

  test('is accepted by the contract', () => {
    for (const { eventType, severity, description } of Object.values(rules)) {
      const event = { eventType, severity, eventDescription: description, pageUrl: '/', sessionId: 'unknown' }
      expect(reportedEvent.safeParse(event).success, eventType).toBe(true)
    }
  })

  test('warns with exactly five sentences', () => {
    expect(Object.values(deterrentTexts.warnings).sort()).toEqual([
      'Console access detected - activity is logged',
      'Developer tools access is restricted',
      'Printing is not permitted for security reasons',
      'Right-click is disabled for security',
      'Screenshots are not permitted for security reasons',
    ])
    const warned = Object.values(rules).flatMap(({ warning }) => warning ?? [])
    expect(warned.sort()).toEqual(Object.keys(deterrentTexts.warnings).sort())
  })

  test('critical and high are destructive notices, critical ones longer; the others are not', () => {
    expect(['low', 'medium', 'high', 'critical'].map((severity) => toneOf(severity as 'low'))).toEqual([
      'warning',
      'warning',
      'destructive',
      'critical',
    ])
  })
})

describe('the limiter', () => {
  function limiterAt() {
    let now = 0
    const take = createLimiter(() => now)
    return { take, wait: (ms: number) => void (now += ms) }
  }

  test('takes one of a kind a second, and kinds do not count against one another', () => {
    const { take, wait } = limiterAt()
    const kinds: Deterred[] = ['print', 'copy', 'drag']
    expect(kinds.map(take)).toEqual([{ leftOut: 0 }, { leftOut: 0 }, { leftOut: 0 }])
    expect(kinds.map(take)).toEqual(['repeated', 'repeated', 'repeated'])
    wait(999)
    expect(take('print')).toBe('repeated')
    wait(1)
    expect(take('print')).toEqual({ leftOut: 0 })
  })

  test('takes ten of a kind a minute, and the next one says how many were left out', () => {
    const { take, wait } = limiterAt()
    for (let at = 0; at < 10; at++) {
      expect(take('rightClick')).toEqual({ leftOut: 0 })
      wait(1_000)
    }
    for (let at = 0; at < 4; at++) {
      expect(take('rightClick')).toBe('tooMany')
      wait(1_000)
    }
    wait(46_000)
    expect(take('rightClick')).toEqual({ leftOut: 4 })
    wait(1_000)
    expect(take('rightClick')).toEqual({ leftOut: 0 })
  })
})

describe('the console', () => {
  const fake = () => {
    const written: unknown[][] = []
    const write = (...given: unknown[]) => void written.push(given)
    return {
      target: { log: write, info: write, debug: write, table: write, dir: write } as unknown as Console,
      written,
    }
  }

  test('is told of once, and goes on working', () => {
    const { target, written } = fake()
    const used = vi.fn()
    watchConsole(used, target)
    target.log('one', 1)
    target.info('two')
    expect(used).toHaveBeenCalledTimes(1)
    expect(written).toEqual([['one', 1], ['two']])
  })

  test('is as before after the watching ends, and what another has put there stays', () => {
    const { target } = fake()
    const { log, info } = target
    const used = vi.fn()
    const restore = watchConsole(used, target)
    const others = () => {}
    target.info = others
    restore()
    expect([target.log, target.info]).toEqual([log, others])
    expect(target.info).not.toBe(info)
    target.log('x')
    expect(used).not.toHaveBeenCalled()
  })
})
