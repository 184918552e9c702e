/**
 * Safari, the only browser with GestureEvent, lets audio start only during a user gesture. Other browsers allow it
 * after any earlier gesture, which `userActivation` reports if they have it.
 */
const whileTouched = 'GestureEvent' in globalThis || !('userActivation' in navigator)
const gestures = ['pointerdown', 'keydown'] as const

let context: AudioContext | undefined
let resting: ReturnType<typeof setTimeout> | undefined

/** Suspends the audio context until the next tone: a running one keeps a browser thread busy. */
function restSoon(): void {
  clearTimeout(resting)
  resting = setTimeout(() => void context?.suspend(), 1_000)
}

function arm(): void {
  context ??= new AudioContext()
  void context.resume()
  restSoon()
}

/**
 * In browsers that require a gesture, creates the audio context on the first one; that takes about 50 ms. Returns a
 * function that cancels it.
 */
export function armSound(): () => void {
  if (!whileTouched) return () => {}
  for (const gesture of gestures) addEventListener(gesture, arm, { once: true, passive: true })
  return () => {
    for (const gesture of gestures) removeEventListener(gesture, arm)
  }
}

/** Two soft notes a fourth apart, in seconds and hertz. */
const notes = [
  { at: 0, pitch: 587.33 },
  { at: 0.11, pitch: 783.99 },
]
const length = 0.22
const loudness = 0.08

/** Plays a short tone if the browser allows it. */
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
