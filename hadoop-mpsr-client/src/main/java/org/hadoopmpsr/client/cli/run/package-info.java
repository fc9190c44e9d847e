/** What the commands share that run a Spark job. */
package org.hadoopmpsr.client.cli.run;
