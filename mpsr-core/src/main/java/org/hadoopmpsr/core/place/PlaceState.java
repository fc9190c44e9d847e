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
package org.hadoopmpsr.core.place;

/**
 * What is known of a place: what was measured there, or is usual.
 *
 * @param startSeconds until it can begin: 0 for a process that runs
 * @param bytesPerSecond how fast its cores together get bytes of files
 * @param openSeconds how long one core takes to begin with a file
 * @param cores that work at a time
 * @param resultBytesPerSecond how fast partial results get from there to the reader; infinite at the reader
 * @param freeBytes of memory, for all cores together
 */
public record PlaceState(
        Place place,
        double startSeconds,
        double bytesPerSecond,
        double openSeconds,
        int cores,
        double resultBytesPerSecond,
        long freeBytes) {

    public PlaceState {
        if (!(startSeconds >= 0 && bytesPerSecond > 0 && openSeconds >= 0 && cores > 0 && resultBytesPerSecond > 0)) {
            throw new IllegalArgumentException("the place " + place.text() + " starts in " + startSeconds + " s, gets "
                    + bytesPerSecond + " bytes/s, opens in " + openSeconds + " s, has " + cores + " cores and sends "
                    + resultBytesPerSecond + " bytes/s; rates and cores are above 0, and times are not below 0");
        }
    }
}
