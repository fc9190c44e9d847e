/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.core.codec;

import org.hadoopmpsr.core.group.Codec;

/**
 * What a codec does with the pages of a column. Times are those of one core which does nothing else, in nanoseconds for each byte before
 * compression.
 *
 * @param compressNs the time to compress
 * @param ratio the bytes after compression for each byte before
 * @param decompressNs the time to decompress
 */
public record CodecProfile(Codec codec, double compressNs, double ratio, double decompressNs) {
    public CodecProfile {
        if (!(compressNs >= 0) || !(ratio > 0) || !(decompressNs >= 0)) {
            throw new IllegalArgumentException("a profile of " + codec.text() + " has impossible figures: compression "
                    + compressNs + " ns, ratio " + ratio + ", decompression " + decompressNs
                    + " ns; times are at least 0 and the ratio is above 0");
        }
    }

    /** How much of its weight a time has that is longer than before. */
    private static final double SLOWER = 0.2;

    /**
     * This profile with a part of a newer one. Other work makes a measurement longer, never shorter: a shorter time is taken as it is, and
     * a longer one has a fifth of the weight.
     *
     * @param weight the part of the newer one, from 0 to 1
     */
    CodecProfile towards(CodecProfile newer, double weight) {
        return new CodecProfile(
                codec,
                time(compressNs, newer.compressNs, weight),
                ratio + weight * (newer.ratio - ratio),
                time(decompressNs, newer.decompressNs, weight));
    }

    private static double time(double before, double now, double weight) {
        return now <= before ? now : before + SLOWER * weight * (now - before);
    }
}
