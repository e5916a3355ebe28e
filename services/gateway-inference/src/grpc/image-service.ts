import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ImageService } from '@tollgate/contracts/inference/v1/images_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { generateImages } from '../operations/images/generate-images.js';
import { pinImage, readImage, readImageFile } from '../operations/images/stored-images.js';
import type { Image } from '../store/images.js';

export function imageService(ctx: Context): Registration {
  return register(ImageService, {
    generateImages: async (req, call) => {
      const size = req.size || undefined;
      const made = await generateImages(ctx, { ...req, size }, call);
      const data = made.map((image) => (req.isStored ? { ...image, bytes: new Uint8Array() } : image));
      return { model: req.modelName || req.modelId, data };
    },
    getImage: async (req, call) => ({ image: toProto(await readImage(ctx, call.requirePrincipal(), req.id)) }),
    pinImage: async (req, call) => ({
      image: toProto(await pinImage(ctx, call.requirePrincipal(), req.id, req.pinned)),
    }),
    readImageFile: async (req) => {
      const { expiresAt, ...file } = await readImageFile(ctx, req.id, req.fileToken);
      return { ...file, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) };
    },
  });
}

function toProto({ id, expiresAt, fileToken }: Image) {
  return { id, pinned: expiresAt === null, fileToken, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) };
}
