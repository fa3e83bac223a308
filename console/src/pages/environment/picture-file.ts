import { t } from '../../language';

/** What the platform takes. */
const [MOST_BYTES, MOST_PIXELS] = [1024 * 1024, 4_096];
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
/** The longer side of a picture that was too large, and its quality: a plan stays readable. */
const [REDUCED_PIXELS, QUALITY] = [2_400, 0.85];

/** A picture in base64. One that is too large for the platform is reduced before. */
export async function readPicture(file: Blob): Promise<string> {
  if (!TYPES.includes(file.type)) throw new Error(t('Choose a picture: PNG, JPEG or WebP.'));
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new Error(t('This picture cannot be read.'));
  const isSmall = file.size <= MOST_BYTES && Math.max(bitmap.width, bitmap.height) <= MOST_PIXELS;
  const picture = isSmall ? file : await reduced(bitmap);
  if (picture.size > MOST_BYTES) throw new Error(t('This picture is too large, even when it is reduced.'));
  return base64Of(picture);
}

async function reduced(bitmap: ImageBitmap): Promise<Blob> {
  const scale = Math.min(1, REDUCED_PIXELS / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

async function base64Of(picture: Blob): Promise<string> {
  let text = '';
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const part = 0x8000;
  for (let at = 0; at < bytes.length; at += part) text += String.fromCharCode(...bytes.subarray(at, at + part));
  return btoa(text);
}
