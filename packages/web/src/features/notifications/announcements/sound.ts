/**
 * Safari, which alone has these events, lets sound begin only while the page is being touched; others once it has been,
 * as far as they say whether it has.
 */
const whileTouched = 'GestureEvent' in globalThis || !('userActivation' in navigator)
const gestures = ['pointerdown', 'keydown'] as const

let context: AudioContext | undefined
let resting: ReturnType<typeof setTimeout> | undefined

/** Until the next tone: what plays silence keeps a thread of the browser at work for as long as the tab is open. */
function restSoon(): void {
  clearTimeout(resting)
  resting = setTimeout(() => void context?.suspend(), 1_000)
}

function arm(): void {
  context ??= new AudioContext()
  void context.resume()
  restSoon()
}

/** Readies the tone at the first touch of the page where that must be: making it ready takes a twentieth of a second. */
export function armSound(): () => void {
  if (!whileTouched) return () => {}
  for (const gesture of gestures) addEventListener(gesture, arm, { once: true, passive: true })
  return () => {
    for (const gesture of gestures) removeEventListener(gesture, arm)
  }
}

/** In seconds and hertz: two soft notes, a fourth apart. */
const notes = [
  { at: 0, pitch: 587.33 },
  { at: 0.11, pitch: 783.99 },
]
const length = 0.22
const loudness = 0.08

/** A short tone, where the browser lets the page play one. */
export async function playTone(): Promise<void> {
  if (!context && (whileTouched || typeof AudioContext === 'undefined' || !navigator.userActivation.hasBeenActive))
    return
  context ??= new AudioContext()
  restSoon()
  await context.resume()
  const now = context.currentTime
  for (const { at, pitch } of notes) {
    const tone = new OscillatorNode(context, { type: 'sine', frequency: pitch })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, now + at)
    volume.gain.linearRampToValueAtTime(loudness, now + at + 0.015)
    volume.gain.exponentialRampToValueAtTime(0.0001, now + at + length)
    tone.connect(volume).connect(context.destination)
    tone.start(now + at)
    tone.stop(now + at + length)
  }
}
