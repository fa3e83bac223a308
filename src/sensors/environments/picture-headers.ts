import type { Controller } from '@tsoa/runtime';

/** Browsers show it as a picture in pages of this origin, and run nothing of it. */
const PICTURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Returns the bytes as the body of the answer, and sets its headers. */
export function answerPicture(controller: Controller, { type, image }: { type: string; image: Buffer }): Buffer {
  for (const [name, value] of Object.entries({ ...PICTURE_HEADERS, 'Content-Type': type })) {
    controller.setHeader(name, value);
  }
  return image;
}
