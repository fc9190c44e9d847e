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
package org.hadoopmpsr.core.answer;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Answers in memory, of a bounded number of bytes: those to the requests that were asked for longest ago are forgotten first.
 * Safe for use by several threads.
 */
public final class AnswerMemory {
    private final Map<String, Map<FileKey, byte[]>> requests = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** The answers to a request, which nobody changes; none if there are none. */
    public synchronized Map<FileKey, byte[]> get(String request) {
        return requests.getOrDefault(request, Map.of());
    }

    /**
     * Keeps the answers to a request in the place of all that were kept of it, so that those of files that are gone are dropped.
     *
     * @param mostBytes that all answers may take; answers of one request that are more are not kept
     */
    public synchronized void put(String request, Map<FileKey, byte[]> answers, long mostBytes) {
        Map<FileKey, byte[]> before = requests.remove(request);
        if (before != null) {
            bytes -= AnswersFormat.size(request, before);
        }
        long size = AnswersFormat.size(request, answers);
        if (size <= mostBytes) {
            requests.put(request, Map.copyOf(answers));
            bytes += size;
        }
        Iterator<Map.Entry<String, Map<FileKey, byte[]>>> oldest =
                requests.entrySet().iterator();
        while (bytes > mostBytes && oldest.hasNext()) {
            Map.Entry<String, Map<FileKey, byte[]>> entry = oldest.next();
            bytes -= AnswersFormat.size(entry.getKey(), entry.getValue());
            oldest.remove();
        }
    }

    /** The files of the answers to requests that begin with a text. */
    public synchronized Set<FileKey> files(String beginning) {
        Set<FileKey> files = new HashSet<>();
        requests.forEach((request, answers) -> {
            if (request.startsWith(beginning)) {
                files.addAll(answers.keySet());
            }
        });
        return files;
    }

    /** Forgets the answers of files that are gone, for requests that begin with a text. */
    public synchronized void drop(String beginning, Set<FileKey> gone) {
        Iterator<Map.Entry<String, Map<FileKey, byte[]>>> entries =
                requests.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, Map<FileKey, byte[]>> entry = entries.next();
            String request = entry.getKey();
            Map<FileKey, byte[]> before = entry.getValue();
            if (request.startsWith(beginning) && !Collections.disjoint(before.keySet(), gone)) {
                Map<FileKey, byte[]> left = new HashMap<>(before);
                left.keySet().removeAll(gone);
                bytes -= AnswersFormat.size(request, before);
                if (left.isEmpty()) {
                    entries.remove();
                } else {
                    entry.setValue(Map.copyOf(left));
                    bytes += AnswersFormat.size(request, left);
                }
            }
        }
    }

    /** Forgets all answers. */
    public synchronized void clear() {
        requests.clear();
        bytes = 0;
    }

    /** How many bytes the answers take. */
    public synchronized long bytes() {
        return bytes;
    }
}
