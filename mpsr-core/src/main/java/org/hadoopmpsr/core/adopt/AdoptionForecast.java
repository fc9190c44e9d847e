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
package org.hadoopmpsr.core.adopt;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an adoption is going to take.
 *
 * @param ms the time, in milliseconds
 * @param written the bytes of the new files, by their group
 */
public record AdoptionForecast(long ms, Map<String, Long> written) {
    /**
     * Foretells changes from trials. A change takes a time of its own, which the trials took beside their tasks; and its tasks take
     * a time for each file and for each byte, which they share among the places where tasks run. Of the bytes that are read, as many
     * are written as in the trial whose files are about as long.
     *
     * @param changes the files of each change
     * @param trials at least one
     * @param places how many tasks run at a time, at least 1
     * @param publishMsOfFile what publishing takes for each file that is adopted, which trials do not do
     */
    public static AdoptionForecast of(
            List<List<UntrackedFile>> changes, List<AdoptionTrial> trials, int places, double publishMsOfFile) {
        double ofChange = trials.stream()
                .mapToDouble(trial ->
                        Math.max(0, trial.wallMs() - (double) trial.busyMs() / tasks(trial.files(), places)))
                .average()
                .orElseThrow();
        Cost busy = Cost.of(trials);
        Map<String, Long> written = new TreeMap<>();
        for (List<UntrackedFile> change : changes) {
            long bytes = change.stream().mapToLong(UntrackedFile::length).sum();
            AdoptionTrial like = like(trials, (double) bytes / change.size());
            like.written()
                    .forEach((group, ofTrial) ->
                            written.merge(group, Math.round((double) ofTrial * bytes / like.bytes()), Long::sum));
        }
        double ms = changes.stream()
                .mapToDouble(change -> ofChange + cost(busy, change, places) + publishMsOfFile * change.size())
                .sum();
        return new AdoptionForecast(Math.round(ms), written);
    }

    /** The trial with files of about a length. */
    private static AdoptionTrial like(List<AdoptionTrial> trials, double meanLength) {
        return trials.stream()
                .min(Comparator.comparingDouble(
                        trial -> Math.abs(Math.log(Math.max(1, meanLength) * trial.files() / trial.bytes()))))
                .orElseThrow();
    }

    private static double cost(Cost busy, List<UntrackedFile> change, int places) {
        return busy.of(change) / tasks(change.size(), places);
    }

    /** A file is read by one task. */
    private static int tasks(int files, int places) {
        return Math.min(files, places);
    }

    /** The milliseconds that tasks take for each file and each byte; neither is negative. */
    private record Cost(double ofFile, double ofByte) {

        /** The costs whose squared relative errors are least. */
        static Cost of(List<AdoptionTrial> trials) {
            double ff = 0;
            double fb = 0;
            double bb = 0;
            double f = 0;
            double b = 0;
            for (AdoptionTrial trial : trials) {
                double took = Math.max(1.0, trial.busyMs());
                double files = trial.files() / took;
                double bytes = trial.bytes() / took;
                ff += files * files;
                fb += files * bytes;
                bb += bytes * bytes;
                f += files;
                b += bytes;
            }
            double determinant = ff * bb - fb * fb;
            double ofFile = (f * bb - b * fb) / determinant;
            double ofByte = (b * ff - f * fb) / determinant;
            // trials of like files do not tell what is the file's and what the bytes'
            if (determinant <= 1e-9 * ff * bb || ofFile < 0) {
                return new Cost(0, b / bb);
            }
            return ofByte < 0 ? new Cost(f / ff, 0) : new Cost(ofFile, ofByte);
        }

        double of(Collection<UntrackedFile> files) {
            return ofFile * files.size()
                    + ofByte * files.stream().mapToLong(UntrackedFile::length).sum();
        }
    }
}
