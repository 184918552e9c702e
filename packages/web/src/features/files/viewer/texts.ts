import { isolating } from '../../../ui/translation.ts'

export const viewerTexts = isolating({
  counted: 'Counted as one download. The file is saved on this device only if you press Save.',
  own: 'The file is saved on this device only if you press Save.',
  loading: 'Decrypting on this device',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoom: (percent: string) => `Zoom ${percent}, back to 100%`,
  previous: 'Previous page',
  next: 'Next page',
  page: (page: string, of: string) => `Page ${page} of ${of}`,
  save: 'Save',
  thumbnail: (name: string) => `Thumbnail of ${name}`,
  content: (name: string) => `Content of ${name}`,
  notShown: 'This file does not open here. You can save it and open it with another program.',
  tooManyPixels: 'This picture has too many pixels to be shown. You can save it.',
  protected: 'This PDF is protected by a password of its own. Save it and open it with another program.',
  cut: 'This is the beginning. Save the file to read the rest.',
})
