/** What all commands share: the options of the connection, and how they print. */
package org.hadoopmpsr.client.cli.common;
