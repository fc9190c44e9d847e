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
package org.hadoopmpsr.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests of one class, JUnit 4 or 5, and writes {@link Events} to a file while they run. */
public final class RunTests {

    private RunTests() {}

    /**
     * Ends the process with 0 when all tests were run, whatever their outcome.
     *
     * @param args the file for the events, the class, and names of tests when not all are to be run
     */
    public static void main(String[] args) throws IOException {
        Set<String> names = Arrays.stream(args).skip(2).collect(Collectors.toSet());
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(args[1]))
                .filters((PostDiscoveryFilter) test -> chosen(test, names))
                .build();
        Launcher launcher = LauncherFactory.create();
        try (Events events = new Events(Files.newBufferedWriter(Path.of(args[0])))) {
            launcher.execute(request, events);
            events.write("end", Counts.all());
        }
        // the threads of mini clusters that a test has left would keep the process
        System.exit(0);
    }

    private static FilterResult chosen(TestDescriptor test, Collection<String> names) {
        boolean wanted = names.isEmpty() || !test.isTest() || names.contains(plain(test.getDisplayName()));
        return FilterResult.includedIf(wanted);
    }

    /** The name of a test without JUnit 5's brackets. */
    static String plain(String displayName) {
        return displayName.replaceFirst("\\(.*\\)$", "");
    }
}
