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
package org.hadoopmpsr.namenode;

import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The heap after a collection, by class. Arrays of int do not count: the collector fills the gaps between objects with
 * them.
 */
final class HeapGrowth {
    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");
    private static final String FILLER = "[I";
    private static final int TOLD = 15;

    private final Map<String, Long> bytes = new HashMap<>();

    private HeapGrowth(String histogram) {
        histogram.lines().forEach(line -> {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches() && !matcher.group(3).equals(FILLER)) {
                bytes.merge(matcher.group(3), Long.parseLong(matcher.group(2)), Long::sum);
            }
        });
    }

    /** Collects garbage first. */
    static HeapGrowth now() throws JMException {
        System.gc();
        Object histogram = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return new HeapGrowth((String) histogram);
    }

    long bytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The classes that grew most, a line for each. */
    String since(HeapGrowth before) {
        Map<String, Long> grown = new HashMap<>();
        bytes.forEach((name, now) -> grown.put(name, now - before.bytes.getOrDefault(name, 0L)));
        return grown.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(TOLD)
                .map(e -> e.getValue() / 1_024 + " kB " + e.getKey())
                .collect(Collectors.joining("\n"));
    }
}
