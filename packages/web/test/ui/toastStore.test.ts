import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  dismissAnnouncement,
  dismissToast,
  leaveToast,
  pauseToast,
  resumeToast,
  toast,
  toasts,
} from '../../src/ui/toast/toastStore.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  dismissToast()
  vi.useRealTimers()
})

test('one at a time: the newest replaces the one before and has its own whole time', () => {
  toast({ title: 'first' })
  vi.advanceTimersByTime(4_000)
  toast({ title: 'second' })
  expect(toasts.get()?.title).toBe('second')
  vi.advanceTimersByTime(4_999)
  expect(toasts.get()?.title).toBe('second')
  vi.advanceTimersByTime(1)
  expect(toasts.get()).toBeUndefined()
})

test('a critical one stays 10 seconds', () => {
  toast({ title: 'critical', tone: 'critical' })
  vi.advanceTimersByTime(9_999)
  expect(toasts.get()?.title).toBe('critical')
  vi.advanceTimersByTime(1)
  expect(toasts.get()).toBeUndefined()
})

test('a critical one makes no room for mere information, and for anything else it does', () => {
  toast({ title: 'critical', tone: 'critical' })
  toast({ title: 'removed', tone: 'info' })
  expect(toasts.get()?.title).toBe('critical')
  toast({ title: 'failed', tone: 'destructive' })
  expect(toasts.get()?.title).toBe('failed')
  dismissToast()
  expect(toasts.get()?.title).toBe('removed')
})

test('information that comes during a critical one follows it for its own five seconds', () => {
  toast({ title: 'critical', tone: 'critical' })
  vi.advanceTimersByTime(4_000)
  toast({ title: 'older', tone: 'info' })
  toast({ title: 'removed', tone: 'info' })
  vi.advanceTimersByTime(6_000)
  expect(toasts.get()?.title).toBe('removed')
  vi.advanceTimersByTime(5_000)
  expect(toasts.get()).toBeUndefined()
})

test('information that waits goes with its page, unless it stays', () => {
  toast({ title: 'critical', tone: 'critical', stays: true })
  toast({ title: 'of the page', tone: 'info' })
  leaveToast()
  dismissToast()
  expect(toasts.get()).toBeUndefined()
  toast({ title: 'critical', tone: 'critical', stays: true })
  toast({ title: 'removed', tone: 'info', stays: true })
  leaveToast()
  dismissToast()
  expect(toasts.get()?.title).toBe('removed')
  dismissToast()
})

test('hover and focus stop its clock, and it goes on where it stopped', () => {
  toast({ title: 'read me' })
  vi.advanceTimersByTime(3_000)
  pauseToast()
  vi.advanceTimersByTime(60_000)
  expect(toasts.get()?.paused).toBe(true)
  resumeToast()
  vi.advanceTimersByTime(1_999)
  expect(toasts.get()?.title).toBe('read me')
  vi.advanceTimersByTime(1)
  expect(toasts.get()).toBeUndefined()
})

test('a toast that replaces a paused one is not paused', () => {
  toast({ title: 'first' })
  pauseToast()
  toast({ title: 'second' })
  expect(toasts.get()?.paused).toBe(false)
  vi.advanceTimersByTime(5_000)
  expect(toasts.get()).toBeUndefined()
})

test('listeners hear of each change and of nothing else', () => {
  const heard = vi.fn()
  const off = toasts.subscribe(heard)
  dismissToast()
  expect(heard).not.toHaveBeenCalled()
  toast({ title: 'one' })
  resumeToast()
  dismissToast()
  off()
  toast({ title: 'two' })
  expect(heard).toHaveBeenCalledTimes(2)
})

test('a toast goes with its page, and one that stays does not', () => {
  toast({ title: 'of the page' })
  leaveToast()
  expect(toasts.get()).toBeUndefined()
  toast({ title: 'welcome', stays: true })
  leaveToast()
  expect(toasts.get()?.title).toBe('welcome')
})

test('opening what an event is about dismisses its toast, and no other', () => {
  toast({ title: 'a failure', tone: 'destructive' })
  dismissAnnouncement()
  expect(toasts.get()?.title).toBe('a failure')
  toast({ title: 'an event', tone: 'info', announces: true })
  dismissAnnouncement()
  expect(toasts.get()).toBeUndefined()
})
