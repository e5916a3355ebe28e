import { endpoints } from '../../server/endpoints.js';
import { generateImage } from './generate-image.js';
import { getImage } from './get-image.js';
import { getImageFile } from './get-image-file.js';
import { pinImage, unpinImage } from './pin-image.js';

export const imageRouter = endpoints(generateImage, getImage, getImageFile, pinImage, unpinImage);
