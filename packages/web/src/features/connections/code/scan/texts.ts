import { isolating } from '../../../../ui/translation.ts'

export const scanTexts = isolating({
  title: 'Scan a QR Code',
  hint: "Hold the other person's QR code in front of the camera. The picture stays in this browser and is not stored.",
  picture: 'Picture of your camera',
  again: 'Try Again',
  states: {
    asking: 'Starting the camera. If your browser asks, allow it.',
    reading: 'Looking for a QR code ...',
    slow: 'No QR code found yet. Hold it closer and straight, in brighter light, or type the code instead.',
    foreign: 'This link belongs to another server. You can connect only with people of this one.',
    other: 'This is not a Privity connection code. The other person finds theirs in Connection Management.',
    denied: "The camera is not allowed. Allow it in the browser's settings for this page, or type the code instead.",
    noCamera: 'No camera was found. Connect one, or type the code instead.',
    inUse: 'The camera cannot be used now. Close other programs that use it, or type the code instead.',
    failed: 'Scanning did not work. Try again, or type the code instead.',
  },
})
