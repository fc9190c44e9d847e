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

/**
 * The latency of writing pages with a codec, in nanoseconds for each byte before compression. The model is that of FlexAnalytics (Zou et al.,
 * Big Data Research 1, 2014, equations 1 to 8): without a codec, data take their size over the bandwidth; with one, their size over
 * the speed of the codec, and the compressed size over the bandwidth. Equation 5 adds both. Here the speed is that of a thread which has a part of a core,
 * and encodes besides.
 */
public final class CodecLatency {
    private CodecLatency() {}

    /** The time to encode and compress: the CPU time of both over the share of a core. */
    public static double computeNs(CodecProfile profile, WriteRates rates) {
        return (rates.encodeNs() + profile.compressNs()) / rates.cpuShare();
    }

    /** The time to send the compressed bytes: the ratio over the bandwidth. */
    public static double transferNs(CodecProfile profile, WriteRates rates) {
        return profile.ratio() * rates.transferNs();
    }

    /** Equation 5: data are sent after they were compressed, {@code compute + transfer}. */
    public static double serialNs(CodecProfile profile, WriteRates rates) {
        return computeNs(profile, rates) + transferNs(profile, rates);
    }

    /**
     * The pipelined form, {@code max(compute, transfer)}: HDFS's writer sends packets while the next page is compressed, as long as its queue
     * is neither full nor empty.
     */
    public static double pipelinedNs(CodecProfile profile, WriteRates rates) {
        return Math.max(computeNs(profile, rates), transferNs(profile, rates));
    }
}
